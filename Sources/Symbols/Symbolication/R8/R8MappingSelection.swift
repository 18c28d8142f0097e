internal import CrashModel
internal import Identifiers
internal import Retracing
internal import SymbolSources

/// The mappings chosen for the frames of a report.
struct R8MappingSelection {
  struct Mapping {
    /// The image's index in the report.
    let image: Int
    /// `nil` where none was found.
    let mapping: R8Mapping?
  }

  /// The images of the report, followed by those that represent mappings.
  private(set) var images: [LoadedImage]
  private(set) var app: Mapping?
  private(set) var named: [String: Mapping] = [:]
  private(set) var digests: [DebugID: String] = [:]
  private(set) var notes: [String] = []
  private let need: R8MappingRequest

  init(_ need: R8MappingRequest, of report: CrashReport) {
    self.need = need
    images = report.images
  }

  var java: JavaImages { need.java }

  /// The mapping for names without further information from a frame.
  var main: Mapping? { app ?? named.min { $0.key < $1.key }?.value }

  mutating func find(with search: MappingSearch, in pool: MappingPool<R8Mapping>) throws {
    for (id, image) in need.named.sorted(by: { $0.key < $1.key }) where need.named.count > 1 {
      let finding = try search.find(image, .r8, takesGiven: false)
      named[id] = take(image, finding, pool)
    }
    for image in need.app {
      let finding = try search.find(image, .r8, takesGiven: false)
      guard finding.file != nil else { continue }
      app = take(image, finding, pool)
      return
    }
    // The only mapping given for this report may be that of the build, whatever the build calls it.
    for (position, image) in need.app.enumerated() {
      let finding = try search.find(image, .r8, takesGiven: need.takesGiven && position == 0)
      let taken = take(image, finding, pool)
      if position == 0 { app = taken }
      guard finding.file == nil else { break }
    }
  }

  private mutating func take(
    _ image: LoadedImage, _ finding: MappingSearch.Finding, _ pool: MappingPool<R8Mapping>
  ) -> Mapping {
    var image = image
    image.symbols = finding.status
    let known = images.firstIndex { $0.architecture == .jvm && $0.debugID == image.debugID }
    if let known { images[known] = image } else { images.append(image) }
    let index = known ?? images.count - 1
    guard let file = finding.file else { return Mapping(image: index, mapping: nil) }
    let mapping = pool.value(of: file) { R8Mapping($0.fileBytes) }
    notes += mapping.notes.map { "\(file.name): \($0)" }
    if finding.status.match == .name {
      notes.append(
        "\(image.name): the report does not name \(file.name), the only one that was given, so that"
          + " it may be another build's")
    }
    if let id = image.debugID ?? file.debugID { digests[id] = file.digest }
    return Mapping(image: index, mapping: mapping)
  }

  /// The mapping for a frame; `nil` where it needs none.
  func mapping(for frame: Frame) -> Mapping? {
    if let id = R8MappingRequest.mapID(of: frame), let mapping = named[id] { return mapping }
    return app
  }
}
