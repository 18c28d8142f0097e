/// How the page of a triage looks: on a screen and on a phone, light and dark, and on paper.
package enum PageStyle {
  /// The file `page.css`, without the end of its last line.
  package static let css = String(decoding: PackageResources.page_css.dropLast(), as: UTF8.self)
}
