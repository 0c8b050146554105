// RowhouseWire
