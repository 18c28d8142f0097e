/// The facts about some reports, in the order of their keys.
public struct Batch: Sendable {
  public var head: BatchHead
  public internal(set) var images: [ImageFact]
  public internal(set) var files: [FileFact]
  public internal(set) var classes: [ClassFact]
  public internal(set) var reports: [ReportFact]
  public internal(set) var documents: [DocumentFact]

  /// - Parameters:
  ///   - images: In any order, like all records. Those with one key are joined.
  ///   - reports: Their images are indices in `images`.
  public init(
    head: BatchHead, images: [ImageFact], files: [FileFact], classes: [ClassFact],
    reports: [ReportFact], documents: [DocumentFact] = []
  ) {
    self.head = head
    let order = images.indices.sorted { ImageFact.order(images[$0], images[$1]) < 0 }
    self.images = []
    var places = [Int](repeating: 0, count: images.count)
    for index in order {
      if let last = self.images.last, ImageFact.order(last, images[index]) == 0 {
        self.images[self.images.count - 1].join(images[index])
      } else {
        self.images.append(images[index])
      }
      places[index] = self.images.count - 1
    }
    self.files = files.inOrder()
    self.classes = classes.inOrder()
    self.reports = reports.map { report in
      var report = report
      report.images = Set(report.images.map { places[$0] }).sorted()
      return report
    }.inOrder()
    self.documents = documents.inOrder()
  }
}
