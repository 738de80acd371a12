// placeholder: the form page
