public import Bytes
internal import Compression

extension ZipFile {
  /// Bytes of the file that are read at a time.
  private static let window = 64 << 10
  /// Bytes after which pages of a mapped file are given back.
  private static let forgetting = 16 << 20

  /// The output that was asked for is there.
  private struct IsEnough: Error {}

  /// Parts of a member's bytes, for which nothing is unpacked beyond the last of them and nothing else
  /// is kept. What lies outside the member is cut off.
  ///
  /// The checksum counts for whole members, so that it is not looked at.
  ///
  /// - Throws: ``ParseError`` for damage before the end of the last part.
  /// - Complexity: O(n) in the end of the last part.
  public func parts(
    _ ranges: [Range<Int>], of member: Member
  ) throws(ParseError) -> [ByteView] {
    let stored = try storedBytes(of: member)
    let size = Int(clamping: member.size)
    let ranges = ranges.map { $0.clamped(to: 0..<size) }
    let end = ranges.map(\.upperBound).max() ?? 0
    switch member.method {
    case 0:
      guard member.size == member.storedSize else {
        throw error("\(member.storedSize) bytes instead of \(member.size)", in: member)
      }
      return ranges.map { stored.clamped($0) }
    case 8: break
    default: throw error("compression \(member.method)", in: member)
    }
    var kept = [[UInt8]](repeating: [], count: ranges.count)
    var offset = 0
    do {
      let inflater = try StreamInflater(.rawDeflate, limit: size, ratio: .max)
      var start = 0
      while offset < end {
        guard start < stored.count else { throw error("the data ends early", in: member) }
        let piece = stored.clamped(start..<(start + Self.window))
        try unsafe piece.withUnsafeBytes { bytes in
          try unsafe inflater.write(bytes) { output in
            let written = offset..<(offset + output.count)
            for (index, range) in ranges.enumerated() {
              let common = range.clamped(to: written)
              guard !common.isEmpty else { continue }
              let from = common.lowerBound - offset
              unsafe kept[index].append(contentsOf: output[from..<(from + common.count)])
            }
            offset += output.count
            if offset >= end { throw IsEnough() }
          }
        }
        start += piece.count
        if start % Self.forgetting == 0 {
          stored.clamped((start - Self.forgetting)..<start).forgetPages()
        }
      }
    } catch is IsEnough {
    } catch let error as ParseError {
      throw error
    } catch {
      throw self.error("\(error)", in: member)
    }
    return kept.map { ByteView($0) }
  }

  private func error(_ reason: String, in member: Member) -> ParseError {
    ParseError(
      .invalid(reason), in: Self.structure,
      at: Int(clamping: base.addingReportingOverflow(member.header).partialValue))
  }
}
