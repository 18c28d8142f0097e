public import CrashModel

/// Reports of a group that have the same stack.
public struct GroupVariant: Hashable, Sendable {
  /// The stack's id, 16 hexadecimal digits; empty for reports whose documents are damaged.
  public var id: String
  /// How many of the reports that are kept have it.
  public var reports: Int
  /// The newest of them.
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
  /// How many there are.
  public var count: Int
  /// Those of most reports, the most frequent first; among equals by id.
  public var variants: [GroupVariant]

  public init(group: String, count: Int, variants: [GroupVariant]) {
    self.group = group
    self.count = count
    self.variants = variants
  }
}
