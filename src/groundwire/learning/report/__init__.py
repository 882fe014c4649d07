"""What a learner's reviews look like: figures, their drawing, and the page that shows them."""
