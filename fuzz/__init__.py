"""Run thousands of broken records through each reader; only matches or an error of mjconv may result."""
