"""The report on a learner's reviews: figures, their drawing, and the page that shows them."""
