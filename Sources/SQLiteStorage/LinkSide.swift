import RowhouseModel

/// One of the two columns of a table of links.
enum LinkColumn: String, Hashable, Sendable {
    case a, b

    var opposite: LinkColumn { self == .a ? .b : .a }
    /// Where a link stands in the cell of the record in this column.
    var position: String { "p\(rawValue)" }
}

/// Where records of one table stand in a table of links.
struct LinkEnd: Hashable, Sendable {
    /// The table is `l_<number>`.
    let number: Int
    let column: LinkColumn
}

/// The links of one field: the field's own records in one column, what they link to in the other.
///
/// A pair of fields shares `l_<number>`: one row for each link, with its position in the cells of both sides, so that
/// both are always in step. Its key is one side with its position, an index has the other side with its position:
/// adding a link touches the end of both cells and nothing between, however long they are.
struct LinkSide: Hashable, Sendable {
    let number: Int
    let column: LinkColumn
    /// The number of the table that is linked to.
    let linkedTable: Int

    var table: String { "l_\(number)" }
    var own: String { column.rawValue }
    var ownPosition: String { column.position }
    var other: String { column.opposite.rawValue }
    var otherPosition: String { column.opposite.position }

    /// Makes `l_<number>`.
    static func creation(_ number: Int) -> String {
        """
        CREATE TABLE l_\(number) (
            a INTEGER NOT NULL, pa INTEGER NOT NULL, b INTEGER NOT NULL, pb INTEGER NOT NULL, PRIMARY KEY (a, pa)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX l_\(number)_b ON l_\(number) (b, pb);
        """
    }
}

extension FieldType.Kept {
    /// Whether the cells are in a column of the table itself.
    var hasColumn: Bool {
        switch self {
        case .text, .real, .integer: true
        case .links, .nothing: false
        }
    }
}

extension TableSchema {
    /// Whether there is a link field among those at these positions.
    func hasLinks(_ fields: [Int]) -> Bool {
        hasLinks && fields.contains { self.fields.indices.contains($0) && self.fields[$0].type.kept == .links }
    }
}
