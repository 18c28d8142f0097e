internal import Database
public import Identifiers

/// An event for alerts: a release was published, or a tester was invited.
public struct DistributionNews: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case release
    case invitation
  }

  /// The numbers of an app's news grow with time.
  public var number: Int
  /// The app's row number, as in ``EventMarks``.
  public var appRow: Int
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
  /// The number of lines of an app that stay for who reads them.
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
    try database.run(
      """
      DELETE FROM distribution_news WHERE app = ?1 AND number <= (
        SELECT number FROM distribution_news WHERE app = ?1
        ORDER BY number DESC LIMIT 1 OFFSET \(longest))
      """, app)
  }
}

extension CrashStore.Distribution {
  /// Returns the number of the last line of each app's news.
  ///
  /// - Throws: `DatabaseError`.
  public func lastNews() throws -> EventMarks {
    try store.read { try Self.lastNews(in: $0) }
  }

  private static func lastNews(in database: borrowing Connection) throws -> EventMarks {
    let rows = try database.prepare(
      """
      SELECT id, (SELECT max(number) FROM distribution_news WHERE app = apps.id) AS last FROM apps
      """)
    var marks: EventMarks = [:]
    while try rows.step() { try marks[rows.int("id")] = rows.optionalInt("last") }
    return marks
  }

  /// Returns the news after a line of each app, by number.
  ///
  /// - Parameters:
  ///   - marks: The last known line of each app; all lines of an app without a mark are new.
  ///   - limit: Maximum number of lines, shared equally by the apps that have new ones; at least one of each.
  /// - Returns: The news, and the last line read of each app.
  /// - Throws: ``StoreError/damaged(_:)``; `DatabaseError`.
  public func news(
    after marks: EventMarks, limit: Int
  ) throws -> (news: [DistributionNews], marks: EventMarks) {
    try store.read { database in
      var next = try Self.lastNews(in: database)
      let apps = next.filter { $0.value > marks[$0.key] ?? 0 }.keys.sorted()
      var news: [DistributionNews] = []
      for app in apps {
        let mark = marks[app] ?? 0
        let lines = try Self.news(
          of: app, after: mark, limit: max(1, limit / apps.count), in: database)
        next[app] = lines.last?.number ?? mark
        news += lines
      }
      return (news.sorted { $0.number < $1.number }, next)
    }
  }

  private static func news(
    of app: Int, after mark: Int, limit: Int, in database: borrowing Connection
  ) throws -> [DistributionNews] {
    let rows = try database.prepare(
      """
      SELECT number, apps.name AS app, kind, version, build, recipient, detail, author, time
      FROM distribution_news JOIN apps ON apps.id = distribution_news.app
      WHERE distribution_news.app = ?1 AND number > ?2 ORDER BY number LIMIT ?3
      """, [app, mark, limit])
    var news: [DistributionNews] = []
    while try rows.step() {
      let word = try rows.text("kind")
      guard let kind = DistributionNews.Kind(rawValue: word) else {
        throw StoreError.damaged("news of a release are of the kind '\(word)'")
      }
      try news.append(
        DistributionNews(
          number: rows.int("number"), appRow: app, app: rows.text("app"), kind: kind,
          release: Release(version: rows.text("version"), build: rows.text("build")),
          recipient: rows.text("recipient"), detail: rows.text("detail"),
          author: rows.text("author"), time: rows.timestamp("time")))
    }
    return news
  }
}
