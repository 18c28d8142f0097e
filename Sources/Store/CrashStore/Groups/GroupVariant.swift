public import CrashModel

/// Reports of a group that have the same stack.
public struct GroupVariant: Hashable, Sendable {
  /// The stack's id, 16 hexadecimal digits; empty for reports whose documents are damaged.
  public var id: String
  /// Number of stored reports with this stack.
  public var reports: Int
  /// The newest of these reports.
  public var example: String
  public var stack: NormalisedStack

  public init(id: String, reports: Int, example: String, stack: NormalisedStack) {
    self.id = id
    self.reports = reports
    self.example = example
    self.stack = stack
  }
}

/// The variants of a group.
public struct GroupVariants: Hashable, Sendable {
  /// `TERN-12`.
  public var group: String
  /// Total number of variants.
  public var count: Int
  /// The most frequent variants, in descending order; equally frequent ones by id.
  public var variants: [GroupVariant]
  /// Variants that may be another bug, those with the most reports first; a group that has any looks mixed.
  public var splits: [ProposedSplit]

  public init(
    group: String, count: Int, variants: [GroupVariant], splits: [ProposedSplit] = []
  ) {
    self.group = group
    self.count = count
    self.variants = variants
    self.splits = splits
  }
}

/// Variants of a group whose stacks have little in common with those of most of its reports.
public struct ProposedSplit: Hashable, Sendable {
  /// `TERN-12`.
  public var group: String
  /// The ids of the variants, the most frequent first.
  public var variants: [String]
  /// Number of reports with these variants.
  public var reports: Int
  /// Number of the group's reports with the compared variants, these included.
  public var compared: Int
  /// Likeness of the most similar pair of stacks, one of these and one of the others: from 0 to 1,000,000.
  public var millionths: Int

  /// The likeness from 0 to 1.
  public var likeness: Double { Double(millionths) / 1_000_000 }

  public init(
    group: String, variants: [String], reports: Int, compared: Int, millionths: Int
  ) {
    self.group = group
    self.variants = variants
    self.reports = reports
    self.compared = compared
    self.millionths = millionths
  }
}
