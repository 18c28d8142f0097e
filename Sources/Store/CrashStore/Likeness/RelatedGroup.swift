/// A group with a stack similar to one of another group, or to that of a report.
public struct RelatedGroup: Hashable, Sendable {
  /// `TERN-12`.
  public var id: String
  public var app: String
  public var title: String
  /// Number of its reports.
  public var reports: Int
  /// Likeness of the most similar pair of stacks: from 300,000 to 1,000,000.
  public var millionths: Int
  /// Number of matching frames, of those that show more than how the process died.
  public var matchedFrames: Int
  /// Number of such frames in the longer stack.
  public var frames: Int
  /// The frames that match, and those of either that do not, youngest first; `nil` where the reports with the
  /// stacks are no longer stored.
  public var comparison: FrameComparison?
  /// Whether a user declared the two groups distinct.
  public var isDistinct: Bool

  /// The normalised names of frames.
  public struct FrameComparison: Hashable, Sendable {
    public var matched: [String]
    /// Frames only of the stack that related groups are searched for.
    public var onlyHere: [String]
    /// Frames only of the related group's stack.
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
