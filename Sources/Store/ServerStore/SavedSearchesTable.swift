internal import Bytes
internal import Database
public import Identifiers

/// A search of the list of groups that a person keeps.
public struct SavedSearch: Hashable, Sendable {
  public var name: String
  /// The address of the list: `/?q=is%3Anew`.
  public var address: String

  public init(name: String, address: String) {
    self.name = name
    self.address = address
  }
}

/// Why a search is not saved.
public enum SavedSearchError: Error, Hashable, Sendable {
  /// It is empty, too long, or has characters that cannot be shown.
  case invalidName(String)
  /// The search is longer than is kept.
  case tooLong
  /// The account has ``SavedSearchesTable/most`` already.
  case tooMany
}

/// The saved searches of a server's accounts.
public struct SavedSearchesTable: Sendable {
  private let store: ServerStore

  /// The maximum number of searches of an account.
  public static let most = 50
  /// The maximum number of characters of a name.
  public static let longestName = 60
  /// The maximum number of bytes of an address.
  public static let longestAddress = 2_000

  public init(in store: ServerStore) { self.store = store }

  /// Saves a search. One of the same name is replaced.
  ///
  /// - Throws: ``SavedSearchError``; `DatabaseError`.
  public func save(_ search: SavedSearch, of account: String, now: Timestamp) throws {
    let isUsable =
      !search.name.isEmpty && search.name.count <= Self.longestName
      && search.name.printable == search.name && search.name.first?.isWhitespace == false
      && search.name.last?.isWhitespace == false
    guard isUsable else { throw SavedSearchError.invalidName(search.name) }
    guard search.address.utf8.count <= Self.longestAddress else { throw SavedSearchError.tooLong }
    let account = AccountsTable.id(of: account)
    try store.write { database in
      try database.run(
        "DELETE FROM saved_searches WHERE account = ?1 AND name = ?2", account, search.name)
      let count = try database.integer(
        "SELECT count(*) FROM saved_searches WHERE account = ?1", account)
      guard count ?? 0 < Self.most else { throw SavedSearchError.tooMany }
      try database.insert(
        into: "saved_searches",
        [
          "account": account, "name": search.name, "address": search.address,
          "created": now.microseconds,
        ])
    }
  }

  /// Removes a search.
  ///
  /// - Returns: Whether there was one of that name.
  /// - Throws: `DatabaseError`.
  public func remove(_ name: String, of account: String) throws -> Bool {
    try store.write { database in
      try database.run(
        "DELETE FROM saved_searches WHERE account = ?1 AND name = ?2",
        AccountsTable.id(of: account), name)
      return database.changes > 0
    }
  }

  /// Returns the searches of an account, by name.
  ///
  /// - Throws: `DatabaseError`.
  public func all(of account: String) throws -> [SavedSearch] {
    try store.read { database in
      let rows = try database.prepare(
        "SELECT name, address FROM saved_searches WHERE account = ?1 ORDER BY name",
        [AccountsTable.id(of: account)])
      var searches: [SavedSearch] = []
      while try rows.step() {
        try searches.append(SavedSearch(name: rows.text("name"), address: rows.text("address")))
      }
      return searches
    }
  }
}
