/// The values that a group's reports have in common, unlike other reports of its app.
public struct Correlations: Hashable, Sendable {
  /// The name of the test, for output.
  public static let test = "Fisher's exact test, one-sided, Holm's correction"
  /// Minimum number of cases of a value.
  public static let leastCases = 5
  /// Maximum probability that any value is listed by chance.
  public static let level = 0.01
  /// Minimum difference in frequency of a value, in percentage points.
  public static let leastDifference = 5
  /// Maximum number of listed values.
  public static let mostItems = 100

  /// `TERN-12`
  public var group: String
  public var app: String
  /// The text of its signature.
  public var title: String
  /// The cases of the group.
  public var cases = 0
  /// The cases of all other groups of the app.
  public var otherCases = 0
  /// How many values were compared.
  public var tested = 0
  /// Values that are more frequent in the group than by chance, the largest difference first.
  public var items: [Correlation] = []

  public init(group: String, app: String, title: String = "") {
    self.group = group
    self.app = app
    self.title = title
  }
}

/// A value that is more frequent in a group than in its app.
public struct Correlation: Hashable, Sendable {
  /// Its name in queries.
  public var field: String
  public var value: String
  /// The other fields and values that exactly the same reports have, as conditions of a query.
  public var synonyms: [String] = []
  /// Cases of the group with the value, and all cases that could have it.
  public var cases: Int
  public var allCases: Int
  /// Cases of other groups with the value, and all cases that could have it.
  public var otherCases: Int
  public var allOtherCases: Int
  /// Distinct installations of ``cases``; a report that names none counts as one of its own.
  public var installs: Int
  /// The expected share if the value were as frequent in each release of the group as in other groups; `nil`
  /// for releases themselves.
  public var expectedShare: Double?
  /// Probability that chance alone gives the group as many cases, before correction.
  public var pValue: Double
  public var adjustedPValue: Double

  public init(
    field: String, value: String, cases: Int, allCases: Int, otherCases: Int, allOtherCases: Int,
    installs: Int = 0, expectedShare: Double? = nil, pValue: Double, adjustedPValue: Double
  ) {
    self.field = field
    self.value = value
    self.cases = cases
    self.allCases = allCases
    self.otherCases = otherCases
    self.allOtherCases = allOtherCases
    self.installs = installs
    self.expectedShare = expectedShare
    self.pValue = pValue
    self.adjustedPValue = adjustedPValue
  }

  /// The share of the group's cases with the value, from 0 to 1.
  public var share: Double { Self.share(cases, of: allCases) }
  /// The share in the whole app, the group included.
  public var appShare: Double { Self.share(cases + otherCases, of: allCases + allOtherCases) }
  var otherShare: Double { Self.share(otherCases, of: allOtherCases) }

  /// Whether it is no more frequent than in other groups' reports of the same releases.
  public var followsRelease: Bool {
    guard let expectedShare else { return false }
    return (share - expectedShare) * 100 < Double(Correlations.leastDifference)
  }

  private static func share(_ part: Int, of all: Int) -> Double {
    all > 0 ? Double(part) / Double(all) : 0
  }
}
