package import CrashStore
package import Documents
internal import Identifiers
internal import Statistics

extension AppRegressions: Documented {
  package static let declaration = DocumentType("Regressions", blank: AppRegressions(app: "")) {
    DocumentMember(schema: 1)
    DocumentMember("app", \.app, .text, example: "Tern")
    DocumentMember(
      "basis", \.basis, .word, "What cases are compared with: sessions, or reports of other groups."
    )
    DocumentMember("since", optional: \.since, .day, "The first day; absent if all days count.")
    DocumentMember("test", derived: { _ in FirstBadTest.name }, .text)
    DocumentMember(
      "builds", \.buildNames, .list(.text), "The compared builds, oldest first.",
      example: ["1.4.0 (512)"])
    DocumentMember("tested", \.tested, .count, "Groups that are frequent enough to be tested.")
    DocumentMember(
      "comparisons", \.comparisons, .count, "The factor by which probabilities are multiplied.")
    DocumentMember(
      "newest", \.newestName, .text, "The newest release; empty without one.",
      example: "1.4.0 (512)")
    DocumentMember(
      "whole", optional: \.whole, .object(FirstBadBuild.declaration),
      "Crashes of all groups together, with sessions only.")
    DocumentMember(
      "items", \.groups, .list(.object(FirstBadBuild.declaration)),
      "Newest builds first, the most certain first within each.")
    DocumentMember("total", \.total, .count)
  }

  private var buildNames: [String] {
    get { builds.map(\.name) }
    set { builds = newValue.map { Release($0) } }
  }

  private var newestName: String {
    get { newest?.name ?? "" }
    set { newest = newValue.isEmpty ? nil : Release(newValue) }
  }
}

extension FirstBadBuild: Documented {
  package static let declaration = DocumentType(
    "FirstBadBuild",
    blank: FirstBadBuild(
      group: "", release: Release(version: ""), last: Release(version: ""), isNew: false,
      new: FisherTest.Sample(marked: 0, of: 0), former: FisherTest.Sample(marked: 0, of: 0),
      installs: 0, pValue: 1, confidence: 0)
  ) {
    DocumentMember(
      "group", nonEmpty: \.group, .text, "Absent for all groups together.", example: "TERN-12")
    DocumentMember("title", nonEmpty: \.title, .text, "The text of its signature.")
    DocumentMember("state", \.state, .word, "Its status now.")
    DocumentMember("version", \.release.version, .text, "The first bad build.", example: "1.4.0")
    DocumentMember("build", nonEmpty: \.release.build, .text, example: "512")
    DocumentMember("last_version", \.last.version, .text, "The last bad build that was compared.")
    DocumentMember("last_build", nonEmpty: \.last.build, .text)
    DocumentMember("new", \.isNew, .flag, "Whether no earlier release has it.")
    DocumentMember("cases", \.new.marked, .count, "Cases in these builds.")
    DocumentMember("among", \.new.all, .count, "Sessions of these builds, or cases.")
    DocumentMember("former_cases", \.former.marked, .count, "Cases in all earlier builds.")
    DocumentMember("former_among", \.former.all, .count)
    DocumentMember(
      "installs", \.installs, .count, "Distinct installations; reports without one count each.")
    DocumentMember("p", \.pValue, .number, "The p-value before correction.", example: 0.000013)
    DocumentMember(
      "confidence", \.confidence, .share, "The certainty of the increase.", example: 0.9987)
  }
}

extension Correlations: Documented {
  package static let declaration = DocumentType(
    "Correlations", blank: Correlations(group: "", app: "")
  ) {
    DocumentMember(schema: 1)
    DocumentMember("group", \.group, .text, example: "TERN-12")
    DocumentMember("app", \.app, .text, example: "Tern")
    DocumentMember("title", \.title, .text, "The text of the group's signature.")
    DocumentMember("test", derived: { _ in Correlations.test }, .text)
    DocumentMember("cases", \.cases, .count, "Cases of the group.")
    DocumentMember("other_cases", \.otherCases, .count, "Cases of all other groups of the app.")
    DocumentMember("tested", \.tested, .count, "The number of compared values.")
    DocumentMember(
      "items", \.items, .list(.object(Correlation.declaration)),
      "Values that are more frequent in the group, the largest difference first.")
  }
}

extension Correlation: Documented {
  package static let declaration = DocumentType(
    "Correlation",
    blank: Correlation(
      field: "", value: "", cases: 0, allCases: 0, otherCases: 0, allOtherCases: 0, pValue: 1,
      adjustedPValue: 1)
  ) {
    DocumentMember("field", \.field, .text, "The field's name in queries.", example: "device")
    DocumentMember("value", \.value, .text, example: "iPhone15,2")
    DocumentMember(
      "synonyms", \.synonyms, .list(.text), "Other values that exactly the same cases have.",
      example: ["os.build:21E219"])
    DocumentMember("cases", \.cases, .count, "Cases of the group with the value.")
    DocumentMember("all_cases", \.allCases, .count, "Cases of the group.")
    DocumentMember("other_cases", \.otherCases, .count, "Cases of other groups with the value.")
    DocumentMember("all_other_cases", \.allOtherCases, .count, "Cases of other groups.")
    DocumentMember(
      "installs", \.installs, .count, "Distinct installations; reports without one count each.")
    DocumentMember("share", derived: { $0.share }, .number, "The share in the group, from 0 to 1.")
    DocumentMember("app_share", derived: { $0.appShare }, .number, "The share in the app.")
    DocumentMember(
      "expected_share", optional: \.expectedShare, .number,
      "The share expected from the releases alone; absent for releases.")
    DocumentMember(
      "follows_release", derived: { $0.followsRelease }, .flag,
      "Whether it is as frequent in other groups of the same releases.")
    DocumentMember("p", \.pValue, .number, "The p-value before correction.", example: 0.000013)
    DocumentMember("adjusted_p", \.adjustedPValue, .number, example: 0.0013)
  }
}
