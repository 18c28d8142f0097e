import CrashModel
import Testing

@Suite("Names of tags")
struct ReportTagTests {
  @Test("A tag equals its name, known or not, and sorts by it")
  func names() {
    #expect(ReportTag("vm.region") == .vmRegion && "\(ReportTag.vmRegion)" == "vm.region")
    var report = CrashReport(format: .appleIPS)
    report.tags = [.screen: "1x1", ReportTag("own"): "2", .bugType: "309"]
    #expect(report.tags.keys.sorted().map(\.description) == ["bug_type", "own", "screen"])
    #expect(report.tags[ReportTag("bug_type")] == "309")
  }

  @Test("Names that shield properties are in lower case, so any case is found")
  func besideProperties() {
    #expect(!ReportTag.besideProperties.isEmpty)
    for tag in ReportTag.besideProperties {
      #expect(tag.description == tag.description.lowercased())
    }
  }
}
