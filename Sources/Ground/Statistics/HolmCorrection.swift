/// Corrects probabilities for how many were computed: of a hundred tests of mere chance, one has p < 0.01.
///
/// Source: S. Holm, A simple sequentially rejective multiple test procedure, 1979.
public enum HolmCorrection {
  /// What texts call it.
  public static let name = "Holm's correction"

  /// The probability that even one of all tests gives such a small one by chance, for each.
  ///
  /// - Parameters:
  ///   - pValues: Of some of the tests: those that are left out are all larger.
  ///   - tests: How many there were.
  public static func adjusted(_ pValues: [Double], of tests: Int) -> [Double] {
    var adjusted = pValues
    var last = 0.0
    for (rank, index) in pValues.indices.sorted(by: { pValues[$0] < pValues[$1] }).enumerated() {
      last = max(last, min(1, pValues[index] * Double(max(tests - rank, 1))))
      adjusted[index] = last
    }
    return adjusted
  }
}
