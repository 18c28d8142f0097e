internal import Database
public import Identifiers

/// An event for alerts: a release was published, or a tester was invited.
public struct DistributionNews: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case release
    case invitation
  }

  /// Numbers grow with time.
  public var number: Int
  public var app: String
  public var kind: Kind
  /// The release that was published; empty for an invitation.
  public var release: Release
  /// The group or tester that a release was published to, or the group that a tester was invited to.
  public var recipient: String
  /// The file that was published, or the address of the tester.
  public var detail: String
  public var author: String
  public var time: Timestamp
}

/// The table of what alerts tell, inside a transaction.
enum DistributionNewsTable {
  /// The number of lines that stay for who reads them.
  private static let longest = 5_000

  static func add(
    _ kind: DistributionNews.Kind, of app: RowID<Tables.Apps>,
    release: Release = Release(version: ""), to recipient: String, _ detail: String,
    by author: String, at now: Timestamp, in database: borrowing Connection
  ) throws {
    try database.insert(
      into: "distribution_news",
      [
        "number": RowNumbers.news.next(in: database), "app": app, "kind": kind.rawValue,
        "version": release.version, "build": release.build, "recipient": recipient,
        "detail": detail, "author": author, "time": now.microseconds,
      ])
    let last = try database.requiredInteger("SELECT max(number) FROM distribution_news")
    try database.run("DELETE FROM distribution_news WHERE number <= ?1", last - longest)
  }
}

extension CrashStore.Distribution {
  /// Returns the number of the last line of the news; 0 where there is none.
  ///
  /// - Throws: `DatabaseError`.
  public func lastNews() throws -> Int {
    try store.read {
      try $0.requiredInteger("SELECT coalesce(max(number), 0) FROM distribution_news")
    }
  }

  /// Returns the news after a line, the oldest first.
  ///
  /// - Throws: ``StoreError/damaged(_:)``; `DatabaseError`.
  public func news(after number: Int, limit: Int) throws -> [DistributionNews] {
    try store.read { database in
      let rows = try database.prepare(
        """
        SELECT number, apps.name AS app, kind, version, build, recipient, detail, author, time
        FROM distribution_news JOIN apps ON apps.id = distribution_news.app
        WHERE number > ?1 ORDER BY number LIMIT ?2
        """, [number, limit])
      var news: [DistributionNews] = []
      while try rows.step() {
        let word = try rows.text("kind")
        guard let kind = DistributionNews.Kind(rawValue: word) else {
          throw StoreError.damaged("news of a release are of the kind '\(word)'")
        }
        try news.append(
          DistributionNews(
            number: rows.int("number"), app: rows.text("app"), kind: kind,
            release: Release(version: rows.text("version"), build: rows.text("build")),
            recipient: rows.text("recipient"), detail: rows.text("detail"),
            author: rows.text("author"), time: rows.timestamp("time")))
      }
      return news
    }
  }
}
