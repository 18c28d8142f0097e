internal import Glibc

/// A text that is equal to another only byte by byte. Strings are equal when they look alike, and then
/// what is remembered for one spelling would be given for another.
struct RawText: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: RawText, right: RawText) -> Bool {
    let same = unsafe left.text.utf8.withContiguousStorageIfAvailable { first in
      unsafe right.text.utf8.withContiguousStorageIfAvailable { second in
        guard first.count == second.count else { return false }
        guard let start = first.baseAddress, let other = second.baseAddress else { return true }
        return unsafe memcmp(start, other, first.count) == 0
      }
    }
    return (same ?? nil) ?? left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isDone == nil { for byte in text.utf8 { hasher.combine(byte) } }
  }
}
