/// How far two readers of a file agree.
public struct CrossCheckReport: Sendable {
  public var architecture = ""
  /// The compared parts and the others, as text.
  public var covered: [String] = []
  public var notCovered: [String] = []
  /// The second reader's counts.
  public var units = 0
  public var functions = 0
  public var inlinedCalls = 0
  public var rows = 0
  public var symbols = 0
  /// Ranges of code that were compared.
  public var compared = 0
  /// Ranges whose file has the same name and another spelling of its folder.
  public var spelledOtherwise = 0
  /// The second reader's errors; the first ones.
  public var problems: [String] = []
  public var problemCount = 0
  public var differences: [ReferenceDifference] = []
  /// Including those that are not in ``differences``.
  public var differenceCount = 0
  /// Differences that are not explained by what the second reader could not read.
  public var unexplained = 0
}
