/// Makes bases that nobody sees before they are filled, and of which nothing stays when they are not.
package protocol BaseMaking: Sendable {
    /// Makes a base with its tables. Only the caller that `Caller.making` gives can do anything with it until it is
    /// finished; one that never is, for whatever reason, is gone when the folder is next opened.
    ///
    /// - Throws: the errors of "Create base".
    func beginBase(_ request: CreateBaseRequest, as caller: Caller) throws(APIError) -> BaseSchema
    /// The same with a base of this schema. Every identifier is a new one; what refers to another part of the base refers
    /// to the new one.
    ///
    /// - Throws: the errors of "Create base"; `INVALID_REQUEST_UNKNOWN` for what refers to a part that is not there.
    func beginBase(copying copy: SchemaCopy, as caller: Caller) throws(APIError) -> BaseSchema
    /// Shows a base that was begun to everyone.
    func finishBase(_ base: BaseID) throws(APIError)
    /// Removes a base that was begun and not finished: for good, not into the trash.
    func abandonBase(_ base: BaseID) throws(APIError)
}
