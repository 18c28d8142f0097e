/// What the reports of a group have in common that others of its app have not.
public struct Correlations: Hashable, Sendable {
  /// What texts call the test.
  public static let test = "Fisher's exact test, one-sided, Holm's correction"
  /// Rarer values are not looked at.
  public static let leastCases = 5
  /// How probable it may be that any value is listed by chance.
  public static let level = 0.01
  /// In percent of the cases, how much more frequent a value has to be.
  public static let leastDifference = 5
  /// The most values that are listed.
  public static let mostItems = 100

  /// `TERN-12`
  public var group: String
  public var app: String
  /// The text of its signature.
  public var title: String
  /// The cases of the group.
  public var cases = 0
  /// Those of all other groups of the app.
  public var otherCases = 0
  /// How many values were compared.
  public var tested = 0
  /// Those that are more frequent in the group beyond chance, the largest difference first.
  public var items: [Correlation] = []

  public init(group: String, app: String, title: String = "") {
    self.group = group
    self.app = app
    self.title = title
  }
}

/// A value that is more frequent in a group than in its app.
public struct Correlation: Hashable, Sendable {
  /// As queries call it.
  public var field: String
  public var value: String
  /// The other fields and values that exactly the same reports have, as conditions of a query.
  public var synonyms: [String] = []
  /// Cases of the group with it, and all that could have it.
  public var cases: Int
  public var allCases: Int
  /// Cases of other groups.
  public var otherCases: Int
  public var allOtherCases: Int
  /// Distinct installations of ``cases``; a report that names none is one of its own.
  public var installs: Int
  /// The share that it would have in the group if it were as frequent in each release as it is in other groups;
  /// `nil` for releases themselves.
  public var expectedShare: Double?
  /// How probable it is that chance alone gives the group as many, before it is corrected.
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

  /// From 0 to 1.
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
