internal import CrashModel

extension LanguageException {
  /// The first of `chain`, each of which was caused by the next.
  ///
  /// Causes beyond ``FormatLimits/causes`` are left out, except the last one, which is the root.
  static func chain(_ chain: [LanguageException]) -> LanguageException? {
    guard var result = chain.last else { return nil }
    for exception in chain.dropLast().prefix(FormatLimits.causes - 1).reversed() {
      var next = exception
      next.inner.insert(result, at: 0)
      result = next
    }
    return result
  }

  /// Adds the cause of the chain's root.
  mutating func addRoot(_ cause: LanguageException, depth: Int = FormatLimits.causes) {
    guard depth > 0 else { return }
    if inner.isEmpty {
      inner = [cause]
    } else {
      inner[0].addRoot(cause, depth: depth - 1)
    }
  }
}
