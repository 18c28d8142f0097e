/// The style of a triage page: for screens and phones, light and dark, and for print.
package enum PageStyle {
  /// The file `page.css`, without its final line break.
  package static let css = String(decoding: PackageResources.page_css.dropLast(), as: UTF8.self)
}
