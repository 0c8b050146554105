import RowhouseModel
import Storage

extension Engine {
    /// The page, with the numbers of comments where the request wants them.
    func counted(_ page: RecordPage, _ presentation: RecordPresentation) throws(APIError) -> RecordPage {
        guard let table = page.commented(presentation) else { return page }
        var page = page
        let ids = page.batch.ids
        page.batch.commentCounts = try storage.readEach { (reader) throws(APIError) in
            try reader.commentCounts(of: ids, in: table)
        }
        return page
    }

    /// The same where an event thread waits; nil when no reader is free.
    func countedNow(_ page: RecordPage, _ presentation: RecordPresentation) throws(APIError) -> RecordPage? {
        guard let table = page.commented(presentation) else { return page }
        var page = page
        let ids = page.batch.ids
        let counts = try storage.readNow { (reader) throws(APIError) in try reader.commentCounts(of: ids, in: table) }
        guard let counts else { return nil }
        page.batch.commentCounts = counts
        return page
    }
}

extension RecordPage {
    /// The table whose records' comments are to be counted; nil when none are.
    fileprivate func commented(_ presentation: RecordPresentation) -> TableID? {
        presentation.commentCount && batch.count > 0 ? shape?.table.id : nil
    }
}
