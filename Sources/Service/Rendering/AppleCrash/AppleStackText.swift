internal import Bytes
package import CrashModel
internal import CrashService
internal import Identifiers

/// Stacks in Apple's text form.
///
///     0   Tern                          <tab>0x000000010010e810 use_sema + 48 (main.m:17)
///     1   Tern                          <tab>0x000000010010e840 0x100108000 + 26688
///     2   ???                           <tab>0x0000000000000000 0 + 0
///
/// The youngest frame points at an instruction, the others after a call. An address that a report gives in
/// another way is adjusted so that tools which go back from the return address get the same location.
package struct AppleStackText {
  package let report: CrashReport
  package let layout: AppleImageLayout
  package let isMac: Bool

  /// - Parameter isCaughtInCall: Whether the youngest frame points after a call, too.
  package func lines(_ frames: [Frame], isCaughtInCall: Bool = false) -> [String] {
    var isYoungest = !isCaughtInCall
    var lines: [String] = []
    lines.reserveCapacity(frames.count)
    for (index, frame) in frames.enumerated() {
      lines.append(line(for: frame, index, isYoungest: isYoungest))
      if !frame.inlined { isYoungest = false }
    }
    return lines
  }

  private func line(for frame: Frame, _ index: Int, isYoungest: Bool) -> String {
    let shift = Self.shift(of: frame.position, isYoungest: isYoungest)
    let image = frame.image.flatMap { report.images.indices.contains($0) ? $0 : nil }
    let range = image.flatMap { layout.ranges[$0] }
    var address = frame.address?.value
    if address == nil, let range, let offset = frame.imageOffset {
      address = range.base &+ offset.value
    }
    let value = (address ?? 0) &+ UInt64(bitPattern: shift)
    let name = image.map { report.images[$0].appleName } ?? "???"
    let digits = String(value, radix: 16).zeroPadded(to: isNarrow ? 8 : 16)
    let head = String(index).padded(to: 4) + name.padded(to: 30) + "\t0x\(digits) "
    var text = head
    if let function = frame.function ?? frame.symbol, !function.isEmpty {
      let offset = frame.symbolOffset.map { $0 &+ UInt64(bitPattern: shift) } ?? 0
      text += "\(function.appleLine) + \(offset)"
    } else if let range, value >= range.base {
      text += "\(range.base.hexadecimal) + \(value - range.base)"
    } else {
      text += "0 + \(value)"
    }
    if let file = frame.file?.appleLine, !file.isEmpty {
      let last = file.split(separator: "/").last.map(String.init) ?? file
      text += " (\(last):\(max(0, frame.line ?? 0)))"
    }
    return frame.inlined ? text + " [inlined]" : text
  }

  /// Returns the distance to add to an address so that it points where parsers expect.
  private static func shift(of position: CodePosition, isYoungest: Bool) -> Int64 {
    switch position {
    case .exact, .adjusted: isYoungest ? 0 : 1
    case .returnAddress: isYoungest ? -1 : 0
    }
  }

  /// Whether addresses have 32 bits.
  private var isNarrow: Bool {
    switch report.device.architecture {
    case .arm, .armv6, .armv7, .armv7s, .armv7k, .arm64_32, .i386, .ppc: true
    default: false
    }
  }

  package init(report: CrashReport, layout: AppleImageLayout, isMac: Bool) {
    self.report = report
    self.layout = layout
    self.isMac = isMac
  }
}
