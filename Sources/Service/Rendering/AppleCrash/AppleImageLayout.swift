internal import Bytes
package import CrashModel
internal import CrashService
internal import Identifiers

/// The addresses of a report's images in its text form, in which everything has an address.
///
/// An image without a load address gets the one implied by its frames. If these have only offsets, too, such
/// images are laid out after all others, so that a tool which subtracts load addresses gets the right
/// offsets. An image of unknown size ends with the last page that contains a frame.
package struct AppleImageLayout {
  package struct ImageRange {
    package var base: UInt64
    /// The address of the last byte.
    package var last: UInt64

    package init(base: UInt64, last: UInt64) {
      self.base = base
      self.last = last
    }
  }

  /// The range of each image of the report; `nil` for one whose address is unknown.
  package let ranges: [ImageRange?]

  private static let page: UInt64 = 0x1000
  /// The distance between images that are laid out.
  private static let spacing: UInt64 = 0x100_0000

  package init(of report: CrashReport) {
    var bases = report.images.map { $0.base?.value }
    var reach = [UInt64](repeating: 0, count: bases.count)
    var isAsked = [Bool](repeating: false, count: bases.count)
    Self.forEachFrame(of: report) { frame in
      guard let image = frame.image, bases.indices.contains(image) else { return }
      if let offset = frame.imageOffset?.value {
        isAsked[image] = true
        reach[image] = max(reach[image], offset)
        if bases[image] == nil, let address = frame.address?.value, address >= offset {
          bases[image] = address - offset
        }
      } else if let address = frame.address?.value, let base = bases[image], address >= base {
        reach[image] = max(reach[image], address - base)
      }
    }
    func last(_ image: Int, _ base: UInt64) -> UInt64 {
      let size = report.images[image].size ?? (reach[image] | (Self.page - 1)) &+ 1
      let (sum, overflow) = base.addingReportingOverflow(max(size, 1) - 1)
      return overflow ? .max : sum
    }
    var ranges: [ImageRange?] = bases.enumerated().map { index, base in
      base.map { base in ImageRange(base: base, last: last(index, base)) }
    }
    let ends: [UInt64] = ranges.compactMap { $0?.last }
    var next: UInt64 = ends.filter { $0 < 1 << 47 }.max() ?? 0
    for index in ranges.indices where ranges[index] == nil && isAsked[index] {
      let base = (next / Self.spacing + 1) * Self.spacing
      let extent = ImageRange(base: base, last: last(index, base))
      guard extent.last < 1 << 60 else { continue }
      ranges[index] = extent
      next = extent.last
    }
    self.ranges = ranges
  }

  private static func forEachFrame(of report: CrashReport, _ body: (Frame) -> Void) {
    for thread in report.threads { thread.frames.forEach(body) }
    for stack in report.otherStacks { stack.frames.forEach(body) }
    var exceptions = [report.reason.exception].compactMap { $0 }
    while let exception = exceptions.popLast() {
      exception.frames.forEach(body)
      exceptions += exception.inner
    }
  }

  // MARK: The list

  /// Returns the lines below `Binary Images:`.
  package func lines(of report: CrashReport, isMac: Bool) -> [String] {
    zip(report.images, ranges).compactMap { image, extent in
      extent.map { extent in
        isMac
          ? Self.macLine(for: image, at: extent, of: report)
          : Self.line(for: image, at: extent, of: report)
      }
    }
  }

  /// `0x100108000 - 0x10010ffff Tern arm64  <823498b6703e37b8974b9ef479d3e942> /…/Tern`.
  private static func line(
    for image: LoadedImage, at extent: ImageRange, of report: CrashReport
  ) -> String {
    let architecture = image.architecture ?? report.device.architecture
    let words = [image.appleName, architecture?.description.appleLine].compactMap { $0 }
    return "\(hexadecimal(extent.base)) - \(hexadecimal(extent.last)) "
      + words.joined(separator: " ") + "  <\(digits(of: image))> " + path(of: image)
  }

  /// `       0x1009c4000 -        0x1009c7fff +Tern (1.1.0) <D0EC10C4-…> /…/Tern`; a plus marks
  /// code that is not Apple's.
  private static func macLine(
    for image: LoadedImage, at extent: ImageRange, of report: CrashReport
  ) -> String {
    let path = path(of: image)
    let isApple = path.hasPrefix("/usr/lib/") || path.hasPrefix("/System/")
    let range = [extent.base, extent.last].map { hexadecimal($0).padded(to: 18, right: true) }
    let id = image.debugID.map { DebugID(uuid: $0.uuid).description.uppercased() }
    let uuid = id ?? DebugID(uuid: []).description
    return range.joined(separator: " - ") + (isApple ? "  " : " +") + image.appleName
      + " (\(image.version?.appleLine ?? "*")) <\(uuid)> " + path
  }

  private static func hexadecimal(_ value: UInt64) -> String { value.hexadecimal }

  /// Returns the UUID without dashes; zeros if there is none.
  private static func digits(of image: LoadedImage) -> String {
    DebugID(uuid: image.debugID?.uuid ?? []).description.filter { $0 != "-" }
  }

  private static func path(of image: LoadedImage) -> String {
    guard let path = image.path?.appleLine, !path.isEmpty else { return "???" }
    return path
  }
}

extension LoadedImage {
  /// The name of the image in frames and in the list.
  package var appleName: String {
    let name = name.appleLine
    return name.allSatisfy { $0 == " " } ? "???" : name
  }
}
