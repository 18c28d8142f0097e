/// Numbers for names, equal for equal names: alignment compares each pair of frames, but long names are
/// compared only once.
package struct NameNumbers {
  private var numbers: [[UInt8]: Int] = [:]

  package init() {}

  /// - Complexity: O(*n*) in the bytes of the name.
  package mutating func number(of name: String) -> Int {
    let key = Array(name.utf8)
    if let known = numbers[key] { return known }
    numbers[key] = numbers.count
    return numbers.count - 1
  }
}
