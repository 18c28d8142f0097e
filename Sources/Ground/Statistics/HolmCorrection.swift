/// Corrects probabilities for the number of tests: of a hundred tests of mere chance, one has p < 0.01.
///
/// Source: S. Holm, A simple sequentially rejective multiple test procedure, 1979.
public enum HolmCorrection {
  /// The name of the correction in texts.
  public static let name = "Holm's correction"

  /// For each test, the probability that any of all tests gives such a small one by chance.
  ///
  /// - Parameters:
  ///   - pValues: The probabilities of some of the tests: all others must be larger.
  ///   - tests: The number of all tests.
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
