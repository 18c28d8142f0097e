internal import Bytes

/// Bytes that nobody can guess: the standard library's generator asks the kernel.
package enum RandomBytes {
  package static func make(_ count: Int) -> [UInt8] {
    var source = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &source) }
  }

  package static func hex(_ count: Int) -> String { make(count).hexadecimalDigits }
}
