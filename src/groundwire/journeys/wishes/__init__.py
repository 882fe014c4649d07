"""What a caller asks of a journey, read into the options of the TfL API."""
