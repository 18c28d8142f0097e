internal import Bytes
internal import CrashModel
internal import Identifiers

/// The images that the frames of a program's own stack name, and the frames in them.
struct NativeLogImages {
  private var images: [LoadedImage] = []
  private var indices: [String: Int] = [:]
  /// The images whose addresses are linked addresses.
  private var unmoved: Set<Int> = []
  private let map: ProcessMapText

  init(_ map: ProcessMapText) { self.map = map }

  /// - Parameter counter: The program counter at the time of the signal.
  mutating func frames(_ lines: [NativeFrameLine], counter: UInt64?) -> [Frame] {
    var result: [Frame] = []
    result.reserveCapacity(lines.count)
    for line in lines {
      let isExact = line.address != nil && line.address == counter
      var frame = Frame(
        address: line.address.map { Address($0) }, position: isExact ? .exact : .returnAddress,
        function: line.function, symbolOffset: line.symbolOffset, file: line.location?.file,
        line: line.location?.line, column: line.location?.column)
      if let module = line.module {
        frame.image = image(module, line)
        frame.imageOffset = line.moduleOffset.map { ImageOffset($0) }
      }
      result.append(frame)
    }
    result.markInlinedCalls()
    return result
  }

  private mutating func image(_ path: String, _ line: NativeFrameLine) -> Int? {
    var index = indices[path]
    if index == nil {
      guard images.count < FormatLimits.images else { return nil }
      let name = path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path
      images.append(LoadedImage(name: name, path: name == path ? nil : path))
      index = images.count - 1
      indices[path] = index
    }
    if let index, line.isUnmoved { unmoved.insert(index) }
    if let index, images[index].base == nil, let address = line.address,
      let offset = line.moduleOffset, address >= offset
    {
      images[index].base = Address(address - offset)
    }
    return index
  }

  /// Sets the report's images, and each frame's offset from its image's base.
  func locate(_ report: inout CrashReport) {
    report.images = images
    for index in report.images.indices where report.images[index].base == nil {
      if let path = report.images[index].path, let range = map.ranges[path] {
        report.images[index].base = Address(range.lowerBound)
        report.images[index].size = UInt64(range.count)
      } else if unmoved.contains(index) {
        report.images[index].base = Address(0)
      }
    }
    for thread in report.threads.indices {
      Self.locate(&report.threads[thread].frames, in: report.images)
    }
    for stack in report.otherStacks.indices {
      Self.locate(&report.otherStacks[stack].frames, in: report.images)
    }
  }

  private static func locate(_ frames: inout [Frame], in images: [LoadedImage]) {
    for index in frames.indices where frames[index].imageOffset == nil {
      guard let address = frames[index].address, let image = frames[index].image else { continue }
      frames[index].imageOffset = images[image].offset(of: address)
    }
  }
}
