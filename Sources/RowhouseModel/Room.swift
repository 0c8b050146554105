// RowhouseModel
