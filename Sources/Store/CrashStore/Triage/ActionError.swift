public import Bytes

/// Reasons why an action on a group is not possible; messages name the group and say what to do.
public enum ActionError: Error, Equatable, Sendable {
  /// A name for an author or assignee that is empty, too long or not printable.
  case invalidName(String)
  /// A note or a name that is longer than the limit, in bytes.
  case tooLong(String, limit: Int)
  case emptyNote
  /// The address of a ticket that is not one of the web.
  case invalidTicket(String)
  /// A tracker that cannot be used, with the reason.
  case invalidTracker(String)
  /// Both names lead to the same group.
  case sameGroup(String, String)
  case otherApp(String, String)
  /// The group was not merged into another by hand.
  case notMerged(String)
  /// Symbols showed that the two groups have the same signature.
  case oneBySymbols(String, with: String)
  /// The two groups were never marked as distinct.
  case notDistinct(String, String)
  case distinctFromItself(String)
  /// The two groups were marked as distinct.
  case toldApart(String, String, by: String?)
  /// Two groups have more pairs of keys than can be recorded.
  case tooManyKeys(String, String)
  /// The group contains others: one of them has to be named.
  case holds(String, [String])
  case nothingToUndo(String)
  /// The history of the group has no such line, `#57`.
  case noSuchLine(Int, in: String)
  /// The line records an effect of reports, or an undo.
  case cannotUndo(Int, event: String)
  case undoneBefore(Int)
  /// A later line, with another number, depends on it.
  case undoFirst(Int, later: Int, in: String)
  /// Symbols have joined the group with another since.
  case metSince(Int, name: String)
  /// The group of the line is part of another now.
  case partOf(String, whole: String)
  /// The group that was split off has been changed since.
  case changedSince(String, words: String)
  case noSuchKey(String, in: String)
  case ambiguousKey(String, in: String)
  /// All or none of the group's reports would move.
  case splitsNothing(String, isAll: Bool)
  case emptyRule
  /// The rule has a condition on the group, which new reports do not have yet.
  case ruleOfGroup(String)
  case noSuchRelease(String, app: String, near: String?)
  case releaseHasReports(String, app: String)
}

extension ActionError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalidName(let name):
      "'\(name)' cannot be a name: it needs letters, and no control characters"
    case .tooLong(let what, let limit): "\(what) is longer than \(limit) bytes"
    case .emptyNote: "the note is empty"
    case .invalidTicket(let url):
      "'\(url)' is not the address of a ticket: use one such as https://github.com/acme/tern/issues/7"
    case .invalidTracker(let problem): problem
    case .sameGroup(let one, let other):
      one == other
        ? "\(one) cannot be merged into itself" : "\(other) is already part of \(one)"
    case .otherApp(let one, let other):
      "\(one) and \(other) belong to different apps and cannot be merged"
    case .notMerged(let name): "\(name) was not merged into another group"
    case .oneBySymbols(let name, let whole):
      "\(name) was joined with \(whole) because symbols showed the same signature;"
        + " split --key takes keys out of it"
    case .notDistinct(let one, let other): "\(one) and \(other) are not marked as distinct"
    case .toldApart(let one, let other, let author):
      "\(author ?? "a user") marked \(one) and \(other) as distinct:"
        + " mayday distinct \(one) \(other) --undo removes the mark"
    case .distinctFromItself(let name): "\(name) cannot be distinct from itself"
    case .tooManyKeys(let one, let other):
      "\(one) and \(other) have more than \(DistinctKeys.pairLimit) pairs of keys, which cannot all be"
        + " marked as distinct"
    case .holds(let name, let parts):
      "\(name) holds \(parts.joined(separator: ", ")): name the one to take out"
    case .nothingToUndo(let name): "\(name) has no change that could be undone"
    case .noSuchLine(let line, let name): "the history of \(name) has no #\(line)"
    case .cannotUndo(let line, "undone"):
      "#\(line) is an undo; repeat the change that it undid instead"
    case .cannotUndo(let line, let event):
      "#\(line) (\(event)) was caused by reports and cannot be undone"
    case .undoneBefore(let line): "#\(line) was already undone"
    case .undoFirst(let line, let later, let name):
      "#\(line) cannot be undone before #\(later): run mayday undo \(name) \(later)"
    case .metSince(let line, let name):
      "#\(line) cannot be undone: symbols have joined \(name) with another group since"
    case .partOf(let name, let whole):
      "\(name) is now part of \(whole): mayday unmerge \(name) separates it"
    case .changedSince(let name, let words): "\(name) \(words) since: undo that first"
    case .noSuchKey(let key, let name):
      "\(name) has no key that starts with '\(key)'; mayday split \(name) lists its keys"
    case .ambiguousKey(let key, let name):
      "several keys of \(name) start with '\(key)'; mayday split \(name) lists its keys"
    case .splitsNothing(let name, let isAll):
      isAll
        ? "this would move every report of \(name)"
        : "no report of \(name) would move"
    case .emptyRule: "an empty query would match all reports"
    case .ruleOfGroup(let condition):
      "'\(condition)' is a condition on groups; this query must use conditions on reports"
    case .noSuchRelease(let release, let app, let near):
      "\(app) has no release \(release)" + (near.map { "; did you mean \($0)?" } ?? "")
        + ": mayday releases add creates one that no report mentions yet"
    case .releaseHasReports(let release, let app):
      "\(release) of \(app) has reports and cannot be removed"
    }
  }
}

extension ActionError: UserFacingError {
  public var failureKind: FailureKind {
    switch self {
    case .invalidName, .tooLong, .emptyNote, .invalidTicket, .invalidTracker, .sameGroup, .otherApp,
      .ambiguousKey, .emptyRule,
      .ruleOfGroup:
      .wrongUsage
    case .noSuchLine, .noSuchKey, .noSuchRelease, .nothingToUndo: .notFound
    default: .failed
    }
  }
}
