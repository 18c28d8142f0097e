package import CrashModel
package import CrashStore

/// What somebody decides about groups, as commands and the API name it.
package enum GroupAction: String, CaseIterable, Sendable {
  case resolve, reopen, ignore, assign, note, merge, unmerge, split, distinct, undo

  /// The most groups of one request.
  package static let mostGroups = 1_000

  package var summary: String {
    switch self {
    case .resolve: "Mark as fixed: after all it was seen in, in a version, or in the next one."
    case .reopen: "Make open again."
    case .ignore: "Leave alone, for good or until one of the conditions holds."
    case .assign: "Note who looks after it; without to, nobody does."
    case .note: "Add a note."
    case .merge: "Merge into another group."
    case .unmerge: "Take out of the group that it was merged into."
    case .split: "Move part of a group into a new group."
    case .distinct: "Mark as not the same as another group, so that they are never linked."
    case .undo: "Undo the last change, or an earlier one by its number in the history."
    }
  }
}

/// A decision with all that belongs to it.
package enum GroupDecision: Sendable {
  case resolve(Resolution)
  case reopen
  case ignore(IgnoreCondition)
  /// `nil` is nobody.
  case assign(String?)
  case note(String)
  /// The group that stays.
  case merge(into: String)
  case unmerge
  case split(keys: [String])
  case splitWhere(String)
  /// The group that they are not the same as; undone, they may be again.
  case distinct(from: String, isUndone: Bool)
  case undo(line: Int?)

  package var action: GroupAction {
    switch self {
    case .resolve: .resolve
    case .reopen: .reopen
    case .ignore: .ignore
    case .assign: .assign
    case .note: .note
    case .merge: .merge
    case .unmerge: .unmerge
    case .split, .splitWhere: .split
    case .distinct: .distinct
    case .undo: .undo
    }
  }
}

/// What a decision made of groups.
package struct DecidedGroups: Sendable {
  /// As they are now.
  package var groups: [GroupSummary]
  /// What may be another than was meant.
  package var warnings: [String] = []

  package init(groups: [GroupSummary], warnings: [String] = []) {
    self.groups = groups
    self.warnings = warnings
  }
}
