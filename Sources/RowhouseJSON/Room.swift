// RowhouseJSON
