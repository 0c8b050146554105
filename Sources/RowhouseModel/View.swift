/// A view of a table: what it is called and what it shows.
package struct View: Sendable, Equatable {
    package let id: ViewID
    package var name: String
    /// `grid`, `form`, `calendar`, `gallery`, `kanban` …
    package var type: String

    package init(id: ViewID, name: String, type: String) {
        self.id = id
        self.name = name
        self.type = type
    }
}
