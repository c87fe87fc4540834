"""Columns of packed features and legal actions of decisions, and arrays of them. Loading this module loads numpy.

Of most planes, a row needs one number and a bit for each kind of tile. Lists of float32 take twelve times as long
to write, and four times as long to read.
"""

import json
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from mjconv.ir.errors import UnsupportedError
from mjconv.train.layout import KEY, VERSION, DecisionLayout

#: The rows that are packed at a time: they fit in the cache of a core.
_ROWS: Final = 256

Bytes = npt.NDArray[np.uint8]


def pack_features(features: npt.NDArray[np.float32], layout: DecisionLayout) -> Bytes:
    """Pack the features of rows: the value of each plane, the items of `layout.whole`, and a bit for each item.

    An item with the bit 1 is the value of its plane, another item is zero. Raises `UnsupportedError` if this, or
    float16 for the items of `layout.whole`, would change a feature.
    """
    whole = list(layout.whole)
    items = features[:, whole].astype(np.float16)
    shown = features != 0
    # The value is the first item that is not zero.
    values = np.take_along_axis(features, shown.argmax(axis=2)[:, :, None], 2)
    # The bits of a plane of zeros are 1, and those of a whole plane 0: so they compress best.
    bits = features == values
    values[:, whole], bits[:, whole], shown[:, whole] = 0, False, False
    if (shown > bits).any() or (items != features[:, whole]).any():
        raise UnsupportedError(f"the columns cannot hold the features of {layout.engine} exactly")
    parts = (_bytes(values), _bytes(items), np.packbits(bits.reshape(len(bits), -1), axis=1))
    return np.concatenate(parts, axis=1)


def features_of(rows: pa.Table | pa.RecordBatch) -> npt.NDArray[np.float32]:
    """Return the column `features` of decisions as an array: rows, planes, kinds of tiles. The values are exact.

    The metadata of the schema has the layout. Raises `UnsupportedError` for columns of a version that this mjconv
    does not read.

    >>> from mjconv.train.layout import layout_for, schema_for
    >>> features = np.zeros((1, 74, 34), np.float32)
    >>> features[0, :2] = 0.1
    >>> packed = pack_array(pack_features(features, layout_for(4)))
    >>> schema = pa.schema([schema_for(4).field("features")], schema_for(4).metadata)
    >>> bool((features_of(pa.table([packed], schema)) == features).all())
    True
    """
    layout = layout_of(rows)
    planes, kinds = layout.shape
    packed = _packed(rows, "features")
    values, items, bits = np.split(packed, layout.ends(), axis=1)
    scale = np.ascontiguousarray(values).view(np.float32)[:, :, None]
    features = np.empty((len(packed), planes, kinds), np.float32)
    for begin in range(0, len(packed), _ROWS):
        own = slice(begin, begin + _ROWS)
        shown = np.unpackbits(bits[own], axis=1, count=planes * kinds).reshape(-1, planes, kinds)
        np.multiply(shown, scale[own], out=features[own])
    whole = np.ascontiguousarray(items).view(np.float16)
    features[:, list(layout.whole)] = whole.reshape(len(packed), len(layout.whole), kinds)
    return features


def legal_of(rows: pa.Table | pa.RecordBatch) -> npt.NDArray[np.bool_]:
    """Return the column `legal` of decisions as an array: rows, actions. Raises as `features_of`."""
    actions = len(layout_of(rows).actions)
    return np.unpackbits(_packed(rows, "legal"), axis=1, count=actions).view(np.bool_)


def layout_of(rows: pa.Table | pa.RecordBatch) -> DecisionLayout:
    """Return the layout of decisions from the metadata of their schema. Raises as `features_of`."""
    values = json.loads((rows.schema.metadata or {}).get(KEY, b"{}"))
    if values.get("version") != VERSION:
        found = f"version {values['version']}" if values else "no version"
        reason = f"these decisions have {found} of the columns, and this mjconv reads version {VERSION}"
        raise UnsupportedError(f"{reason}; write them again")
    return DecisionLayout(**values)


def pack_array(rows: Bytes) -> pa.Array:
    """Return the bytes of rows as an Arrow array."""
    return pa.Array.from_buffers(pa.binary(rows.shape[1]), len(rows), [None, pa.py_buffer(rows)])


def _bytes(values: npt.NDArray[np.floating[Any]]) -> Bytes:
    return values.reshape(len(values), -1).view(np.uint8)


def _packed(rows: pa.Table | pa.RecordBatch, name: str) -> Bytes:
    column: Any = rows[name]
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    width = column.type.byte_width
    data = np.frombuffer(column.buffers()[1] or b"", np.uint8)
    return data[column.offset * width : (column.offset + len(column)) * width].reshape(-1, width)
