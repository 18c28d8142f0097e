import Arguments
import Bytes
import CrashService
import TriageModel

/// Options for the tracker of an app's issues.
struct TrackerOptions {
  @Option(
    "--tracker",
    help: "Where issues are written: a project's address, or none; KIND:URL for hosts of your own.",
    value: "URL")
  var tracker: String?
  @Option(
    "--tracker-token-file", help: "A file on this machine with a token that reads issues.",
    value: "FILE")
  var tokenFile: String?
  @Option(
    "--tracker-token-variable", help: "A variable of the server with such a token.", value: "NAME")
  var tokenVariable: String?
  @Option(
    "--ticket-reports", help: "Suggest a ticket from this many reports on, or none.", value: "N")
  var reports: RetentionLimit<Int>?
  @Option("--ticket-users", help: "Suggest a ticket from this many users on, or none.", value: "N")
  var users: RetentionLimit<Int>?

  var isOn: Bool {
    tracker != nil || tokenFile != nil || tokenVariable != nil || reports != nil || users != nil
  }

  private var token: String? {
    tokenFile.map { "file:" + $0 } ?? tokenVariable.map { "env:" + $0 }
  }

  func validate() throws(UsageError) {
    if tokenFile != nil && tokenVariable != nil {
      throw UsageError("use either --tracker-token-file or --tracker-token-variable")
    }
    if let tokenFile, !tokenFile.hasPrefix("/") {
      throw UsageError("--tracker-token-file is the whole path of a file, which the server reads")
    }
    if tracker == "none", token != nil || reports != nil || users != nil {
      throw UsageError("--tracker none leaves nothing else to set")
    }
    if let tracker, tracker != "none" { _ = try Self.place(tracker) }
  }

  /// Returns the tracker that an app has after the change.
  ///
  /// - Throws: ``ServiceError`` for an app that has none and gets none.
  func changed(_ old: TicketTracker?) throws -> TicketTracker? {
    if tracker == "none" { return nil }
    var new: TicketTracker
    if let tracker {
      let (kind, address) = try Self.place(tracker)
      new = TicketTracker(kind, address, reports: old?.reports, users: old?.users)
    } else if let old {
      // The store keeps the token; a server never told it.
      new = old
      new.token = nil
    } else {
      throw ServiceError("the app has no tracker: give its address with --tracker", .wrongUsage)
    }
    if let token { new.token = token }
    if let reports { new.reports = reports.chosen }
    if let users { new.users = users.chosen }
    return new
  }

  private static func place(
    _ text: String
  ) throws(UsageError) -> (kind: TicketTracker.Kind, address: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    if parts.count == 2, let kind = TicketTracker.Kind(rawValue: String(parts[0])) {
      return (kind, String(parts[1]))
    }
    guard let kind = TicketTracker.kind(of: text) else {
      let kinds = TicketTracker.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError(
        "--tracker \(text): put the kind of tracker in front, as in gitlab:\(text); it is one of "
          + kinds)
    }
    return (kind, text)
  }
}

extension RetentionLimit {
  /// The limit; `nil` for none.
  var chosen: Value? {
    if case .value(let value) = self { value } else { nil }
  }
}
