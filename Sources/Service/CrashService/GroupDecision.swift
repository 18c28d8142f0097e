package import CrashStore
package import TriageModel

/// The actions on groups, as named by commands and the API.
package enum GroupAction: String, CaseIterable, Sendable {
  case resolve, reopen, ignore, assign, note, ticket, merge, unmerge, split, distinct, undo

  /// The maximum number of groups in one request.
  package static let mostGroups = 1_000

  package var summary: String {
    switch self {
    case .resolve: "Mark as fixed: after the newest release seen, in a version, or in the next one."
    case .reopen: "Reopen."
    case .ignore: "Ignore for good, or until one of the conditions holds."
    case .assign: "Set the assignee; without to, remove it."
    case .note: "Add a note."
    case .ticket: "Link to an issue in a tracker; without url, remove the link."
    case .merge: "Merge into another group."
    case .unmerge: "Separate from the group it was merged into."
    case .split: "Move part of a group into a new group."
    case .distinct: "Mark as not the same as another group, so that they are never linked."
    case .undo: "Undo the last change, or an earlier one by its number in the history."
    }
  }
}

/// A decision with its parameters.
package enum GroupDecision: Sendable {
  case resolve(Resolution)
  case reopen
  case ignore(IgnoreCondition)
  /// The assignee; `nil` removes it.
  ///
  /// - Parameter isKnown: Whether it must be the name of an account, if accounts were added to the home.
  case assign(String?, isKnown: Bool)
  case note(String)
  /// The issue about the groups; `nil` removes it.
  case ticket(GroupTicket?)
  /// Merges into the given group.
  case merge(into: String)
  case unmerge
  case split(keys: [String])
  case splitWhere(String)
  /// Marks them as not the same as a group, or removes the mark.
  case distinct(from: String, isUndone: Bool)
  case undo(line: Int?)

  package var action: GroupAction {
    switch self {
    case .resolve: .resolve
    case .reopen: .reopen
    case .ignore: .ignore
    case .assign: .assign
    case .note: .note
    case .ticket: .ticket
    case .merge: .merge
    case .unmerge: .unmerge
    case .split, .splitWhere: .split
    case .distinct: .distinct
    case .undo: .undo
    }
  }
}

/// The result of a decision about groups.
package struct DecidedGroups: Sendable {
  /// The groups as they are now.
  package var groups: [GroupSummary]
  /// Effects that may be unintended.
  package var warnings: [String] = []

  package init(groups: [GroupSummary], warnings: [String] = []) {
    self.groups = groups
    self.warnings = warnings
  }
}
