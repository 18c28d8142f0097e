internal import Bytes
internal import CrashModel

/// The images that the frames of a program's own stack name, and the frames in them.
struct NativeLogImages {
  private var images: [LoadedImage] = []
  private var indices: [String: Int] = [:]
  private let map: ProcessMapText

  init(_ map: ProcessMapText) { self.map = map }

  /// - Parameter counter: Where the program stood when the signal came.
  mutating func frames(_ lines: [NativeFrameLine], counter: UInt64?) -> [Frame] {
    var result: [Frame] = []
    result.reserveCapacity(lines.count)
    for (index, line) in lines.enumerated() {
      let isExact =
        line.address != nil
        && (line.address == counter || index > 0 && Self.isTrampoline(lines[index - 1])
          || index > 1 && Self.isHandler(lines[index - 2]) && lines[index - 1].function == nil)
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

  /// Whether the kernel returned through this frame to where the signal came.
  private static func isTrampoline(_ line: NativeFrameLine) -> Bool {
    switch line.function {
    case "__restore_rt", "__restore", "__kernel_rt_sigreturn", "__kernel_sigreturn", "_sigtramp":
      true
    default: false
    }
  }

  /// Whether a signal was handled in this frame; the one above has mostly no name.
  private static func isHandler(_ line: NativeFrameLine) -> Bool {
    guard let function = line.function else { return false }
    return ["SignalHandler", "signalHandler", "signal_handler", "sigHandler"].contains {
      function.contains($0)
    }
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
    if let index, images[index].base == nil, let address = line.address,
      let offset = line.moduleOffset, address >= offset
    {
      images[index].base = Address(address - offset)
    }
    return index
  }

  /// Gives the report its images, and each frame the offset that follows from the image's base.
  func locate(_ report: inout CrashReport) {
    report.images = images
    for index in report.images.indices where report.images[index].base == nil {
      guard let path = report.images[index].path, let range = map.ranges[path] else { continue }
      report.images[index].base = Address(range.lowerBound)
      report.images[index].size = UInt64(range.count)
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
