/// Numbers for names, the same for the same name: alignment compares each pair of frames, and names of megabytes
/// are compared only once.
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
