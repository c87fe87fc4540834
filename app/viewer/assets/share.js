// Sharing the place that the page shows.

const share = (view) => view.copy("address");
