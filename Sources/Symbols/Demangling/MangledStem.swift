/// A mangled name without what optimiser and linker put after it: `.llvm.123`, a symbol's version.
struct MangledStem {
  let stem: UnsafeBufferPointer<UInt8>

  init(_ name: UnsafeBufferPointer<UInt8>) {
    let end = unsafe name.firstIndex(of: UInt8(ascii: "@")) ?? name.count
    let stop = unsafe name[..<end].firstIndex(of: UInt8(ascii: ".")) ?? end
    unsafe stem = UnsafeBufferPointer(rebasing: name[..<stop])
  }
}

/// The hash at the end of Rust's older names: `17h` and sixteen hexadecimal digits, then `E`.
enum RustHash {
  private static let count = 20

  /// The part of `name` that ends with the hash, where the name ends or a suffix follows. Parts
  /// before it may hold full stops: `core..any..Any`.
  static func stem(of name: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    var end = name.count
    while end > count {
      if unsafe isHash(name[(end - count)..<end]) {
        return unsafe UnsafeBufferPointer(rebasing: name[..<end])
      }
      // The text after a hash starts with a full stop or an at sign.
      guard
        let mark = unsafe name[..<end].lastIndex(where: {
          $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "@")
        })
      else { return nil }
      end = mark
    }
    return nil
  }

  private static func isHash(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    unsafe bytes.last == UInt8(ascii: "E") && bytes.starts(with: "17h".utf8)
      && bytes.dropFirst(3).dropLast().allSatisfy {
        switch $0 {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
      }
  }
}
