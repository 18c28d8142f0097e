/// A group that has a stack like one of another group, or like that of a report.
public struct RelatedGroup: Hashable, Sendable {
  /// `TERN-12`.
  public var id: String
  public var app: String
  public var title: String
  /// How many reports it has.
  public var reports: Int
  /// How much alike the two stacks are that are most alike: from 300,000 to 1,000,000.
  public var millionths: Int
  /// How many frames of either agree, of those that say more than how the process died.
  public var matchedFrames: Int
  /// How many such frames the longer one has.
  public var frames: Int
  /// The frames that agree, and those of either that do not, youngest first; `nil` where the reports that
  /// had the stacks are no longer kept.
  public var comparison: FrameComparison?
  /// Whether somebody said that the two groups are not the same.
  public var isDistinct: Bool

  /// The normalised names of frames.
  public struct FrameComparison: Hashable, Sendable {
    public var matched: [String]
    /// Those that only the stack has for which groups are looked for.
    public var onlyHere: [String]
    /// Those that only the related group's stack has.
    public var onlyThere: [String]

    public init(matched: [String], onlyHere: [String], onlyThere: [String]) {
      self.matched = matched
      self.onlyHere = onlyHere
      self.onlyThere = onlyThere
    }
  }

  /// The likeness from 0 to 1.
  public var likeness: Double { Double(millionths) / 1_000_000 }

  public init(
    id: String, app: String, title: String, reports: Int, millionths: Int, matchedFrames: Int,
    frames: Int, comparison: FrameComparison? = nil, isDistinct: Bool = false
  ) {
    self.id = id
    self.app = app
    self.title = title
    self.reports = reports
    self.millionths = millionths
    self.matchedFrames = matchedFrames
    self.frames = frames
    self.comparison = comparison
    self.isDistinct = isDistinct
  }
}
