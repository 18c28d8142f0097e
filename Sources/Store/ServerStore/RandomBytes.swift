internal import Bytes

/// Bytes that cannot be guessed: the standard library's generator asks the kernel.
package enum RandomBytes {
  package static func make(_ count: Int) -> [UInt8] {
    var source = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 7)
    // The kernel is asked for each number, however small.
    while bytes.count < count {
      withUnsafeBytes(of: source.next()) { bytes.append(contentsOf: $0) }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  package static func hex(_ count: Int) -> String { make(count).hexadecimalDigits }

  /// ASCII letters and digits, uniformly distributed.
  static func characters(_ count: Int) -> String {
    let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    var text: [UInt8] = []
    while text.count < count {
      // 248 is the largest multiple of 62 in a byte.
      text += make(count).filter { $0 < 248 }.map { alphabet[Int($0) % 62] }
    }
    return String(decoding: text.prefix(count), as: UTF8.self)
  }

  /// Whether a byte can occur in texts of ``characters(_:)``.
  static func isCharacter(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
  }
}
