/// Names of the kernel's functions by patterns: `kfree` is the whole name, `mutex_*` its start, `*_trap`
/// its end, `*kasan*` any part of it.
struct KernelFunctions: Sendable {
  private var whole: Set<String> = []
  private var starts: [[UInt8]] = []
  private var ends: [[UInt8]] = []
  private var parts: [[UInt8]] = []

  init(_ patterns: [String]) {
    for pattern in patterns {
      let isStart = pattern.hasSuffix("*")
      let isEnd = pattern.hasPrefix("*")
      let name = pattern.dropFirst(isEnd ? 1 : 0).dropLast(isStart ? 1 : 0)
      switch (isEnd, isStart) {
      case (true, true): parts.append(Array(name.utf8))
      case (true, false): ends.append(Array(name.utf8))
      case (false, true): starts.append(Array(name.utf8))
      case (false, false): whole.insert(String(name))
      }
    }
  }

  func contain(_ name: String) -> Bool {
    if whole.contains(name) { return true }
    let bytes = Array(name.utf8.prefix(256))
    return starts.contains { bytes.starts(with: $0) }
      || ends.contains { bytes.count >= $0.count && bytes.suffix($0.count).elementsEqual($0) }
      || parts.contains { Self.has($0, in: bytes) }
  }

  private static func has(_ part: [UInt8], in bytes: [UInt8]) -> Bool {
    guard let first = part.first, bytes.count >= part.count else { return false }
    for start in 0...(bytes.count - part.count) where bytes[start] == first {
      if bytes[start..<(start + part.count)].elementsEqual(part) { return true }
    }
    return false
  }
}
