"""Laws of completion times: what each must show, whatever it is computed by."""
