extension AppCenterReader {
  static let about = FormatDescription(
    title: "App Center", family: .services, symbols: .resolved, since: "0.1.0",
    introduction: """
      JSON from an App Center SDK: a container `{"logs":[...]}` or a single log. \
      [appcenter.md](../operate/appcenter.md) says how a server takes such requests, with attachments, \
      sessions and events.
      """,
    facts: [
      (
        "recognised by",
        """
        a log of a known `type` in `logs`; a single log of the type `appleError`, `managedError` \
        or `handledError`
        """
      ),
      (
        "identity",
        """
        `id` in one spelling as the incident, app and release, system and device from `device`, \
        process, user; the installation if a server noted it
        """
      ),
      (
        "reason",
        """
        signal, code and address of `appleError`; the exception of the language with its stack \
        and causes. A wrapper's exception (Xamarin, Unity, React Native) goes before the native \
        one, which is kept with its stack in `other_stacks` and its type as the tag \
        `exception.native`; without a stack it is a cause of the native one
        """
      ),
      (
        "stacks",
        """
        all threads; frames by address, by class and method (`org.example.Charts.load`), by \
        `code` of devices that symbolicate themselves, or from a printed stack of Java, .NET, \
        Mono or JavaScript. Of a handled error of Apple's SDK the printed call stack counts, since \
        its `frames` lack what has no class
        """
      ),
      (
        "images",
        """
        `binaries`; Apple's end with `endAddress`, those of Windows before it; the id with or \
        without dashes, of Windows with the PDB's age in decimal. Images that only a call stack \
        names have no id, but the release of the app
        """
      ),
      ("kind", "`handled` for `handledError` and where `fatal` is false, else `crash`"),
      ("properties", "those of the log, apart from the tags, under any name"),
      (
        "tags",
        """
        `session`, `sdk.name`, `sdk.version`, `wrapper.name`, `locale`, `screen`, `device.maker`, \
        `carrier.name`, `os.api_level`, `process.parent`, `objc.selector`, `minidump`
        """
      ),
      (
        "positions",
        """
        youngest frame of a thread `exact`, all others and all of exceptions `return`
        """
      ),
      (
        "native crashes",
        """
        the stacks come from the [minidump](#minidump-minidump) that is attached to the log, in \
        the same container or later
        """
      ),
    ],
    notes: """
      `null` counts as absent, numbers may be text, and the last value of a repeated key counts. \
      The 999 milliseconds that Apple's SDK adds to a crash's whole second are left out.
      """)
}
