extension RuleListsV1 {
  /// Platform functions told by their names, for reports that do not say which image they lie in.
  static let system = RuleListV1(
    name: "system.rules",
    text: """
      # Linux desktop libraries
      g_*  notapp
      _g_*  notapp
      gtk_*  notapp
      _gtk_*  notapp
      gdk_*  notapp
      _gdk_*  notapp
      pango_*  notapp
      cairo_*  notapp
      _cairo_*  notapp
      atk_*  notapp
      dbus_*  notapp
      _dbus_*  notapp
      glib_*  notapp
      gconf_client_*  notapp
      gst_*  notapp
      Glib::*  notapp
      Gtk::*  notapp
      Gdk::*  notapp
      Gio::*  notapp
      X[A-Z]*  notapp
      _X*  notapp
      pthread_*  notapp
      __pthread_*  notapp
      __lll_*  notapp
      _dl_*  notapp
      dlopen*  notapp
      dlclose*  notapp
      dlsym*  notapp
      __dl*  notapp
      _dlerror_run  notapp
      _IO_*  notapp
      __libc_*  notapp
      __nptl_*  notapp
      gl[A-Z]*  notapp
      glX[A-Z]*  notapp
      egl[A-Z]*  notapp
      vk[A-Z]*  notapp
      _mesa_*  notapp
      FcPattern*  notapp
      FcConfig*  notapp
      FT_*  notapp
      poll  notapp
      __poll  notapp
      epoll_wait  notapp
      select  notapp
      read  notapp
      write  notapp
      open  notapp
      close  notapp
      fclose  notapp
      fopen  notapp
      fwrite  notapp
      fread  notapp
      fputs  notapp
      fgets  notapp
      qsort  notapp
      msort_with_tmp  notapp
      qsort_r  notapp
      bsearch  notapp
      getenv  notapp
      setenv  notapp
      nanosleep  notapp
      clock_nanosleep  notapp
      usleep  notapp
      sleep  notapp
      waitpid  notapp
      wait4  notapp
      syscall  notapp
      ioctl  notapp
      recvmsg  notapp
      sendmsg  notapp
      recv  notapp
      send  notapp
      getaddrinfo  notapp
      localtime  notapp
      localtime_r  notapp
      mktime  notapp
      setlocale  notapp
      # Apple's frameworks
      -[NS*  notapp
      +[NS*  notapp
      -[UI*  notapp
      +[UI*  notapp
      -[_NS*  notapp
      -[_UI*  notapp
      -[__NS*  notapp
      +[__NS*  notapp
      -[CA*  notapp
      +[CA*  notapp
      -[WK*  notapp
      -[CK*  notapp
      -[AV*  notapp
      -[MTL*  notapp
      -[CL*Manager*  notapp
      CA::*  notapp
      CF[A-Z]*  notapp
      _CF*  notapp
      __CF*  notapp
      CG[A-Z]*  notapp
      NS[A-Z]*  notapp
      mach_msg*  notapp
      __psynch_*  notapp
      semaphore_*  notapp
      __ulock_*  notapp
      __semwait_signal*  notapp
      kevent*  notapp
      libsystem_*  notapp
      Foundation.*
      FoundationEssentials.*
      FoundationInternationalization.*
      FoundationNetworking.*
      Dispatch.*
      SwiftUI.*
      SwiftUICore.*
      UIKit.*
      UIKitCore.*
      AppKit.*
      Combine.*
      CoreData.*
      CoreGraphics.*
      CoreFoundation.*
      ObjectiveC.*
      AttributeGraph.*
      Observation.*
      SwiftData.*
      RealityKit.*
      _StringProcessing.*
      _RegexParser.*
      Synchronization.*
      Distributed.*
      closure in Foundation.*
      closure in FoundationEssentials.*
      closure in SwiftUI.*
      closure in SwiftUICore.*
      closure in Combine.*
      closure in UIKit.*
      closure in AppKit.*
      closure in Dispatch.*
      # Windows
      Nt[A-Z]*  notapp
      Zw[A-Z]*  notapp
      Rtl[A-Z]*  notapp
      Ldr[A-Z]*  notapp
      WaitForSingleObject*  notapp
      WaitForMultipleObjects*  notapp
      SendMessage*  notapp
      GetMessage*  notapp
      PeekMessage*  notapp
      # Java, Kotlin, Android
      java.*
      javax.*
      jdk.*
      sun.*
      com.sun.*
      kotlin.*
      kotlinx.*
      android.*
      androidx.*
      dalvik.*
      libcore.*
      com.android.*
      com.google.android.gms.*
      com.google.android.material.*
      org.apache.harmony.*
      scala.*
      groovy.*
      clojure.*
      # .NET
      System.*
      Microsoft.*
      mscorlib.*
      Mono.*
      Interop.*
      Java.Interop.*
      Android.Runtime.*
      # Go's standard library
      runtime.*
      syscall.*
      net/http.*
      net.*
      encoding/*
      internal/*
      database/sql.*
      bufio.*
      strconv.*
      # Rust's
      test::*
      proc_macro::*
      compiler_builtins::*
      std_detect::*
      # JavaScript
      Object.<anonymous>
      node:*
      internal/*
      JSON.parse
      JSON.stringify
      """)
}
