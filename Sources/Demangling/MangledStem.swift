/// A mangled name in two: what the compiler mangled, and what optimiser and linker put behind it.
struct MangledStem {
  let stem: UnsafeBufferPointer<UInt8>
  /// From the first full stop: `.cold`, `.isra.0`, `.llvm.123`; without a symbol's version.
  let suffix: UnsafeBufferPointer<UInt8>

  init(_ name: UnsafeBufferPointer<UInt8>) {
    let end = unsafe name.firstIndex(of: UInt8(ascii: "@")) ?? name.count
    let stop = unsafe name[..<end].firstIndex(of: UInt8(ascii: ".")) ?? end
    unsafe stem = UnsafeBufferPointer(rebasing: name[..<stop])
    unsafe suffix = UnsafeBufferPointer(rebasing: name[stop..<end])
  }
}

/// The hash at the end of Rust's older names: `17h` and sixteen hexadecimal digits, then `E`.
enum RustHash {
  static func ends(_ stem: UnsafeBufferPointer<UInt8>) -> Bool {
    guard stem.count > 20, unsafe stem[stem.count - 1] == UInt8(ascii: "E") else { return false }
    let tail = unsafe stem[(stem.count - 20)..<(stem.count - 1)]
    return unsafe tail.starts(with: "17h".utf8)
      && tail.dropFirst(3).allSatisfy {
        switch $0 {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
      }
  }
}
