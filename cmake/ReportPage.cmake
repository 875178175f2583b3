# SPDX-License-Identifier: MIT
# The report's page: TypeScript in report/, bundled by esbuild into one C++ source that holds it as text.
include_guard()

# A source distribution brings the page bundled (scripts/sdist): nobody who installs it needs Node.js.
if(EXISTS ${PROJECT_SOURCE_DIR}/report/bundled/report_template.cpp)
  set(report_source ${PROJECT_SOURCE_DIR}/report/bundled/report_template.cpp)
  add_custom_target(shapeboost_page)
  return()
endif()

find_program(SHAPEBOOST_NODE node)
find_program(SHAPEBOOST_NPM npm)
if(NOT SHAPEBOOST_NODE OR NOT SHAPEBOOST_NPM)
  message(FATAL_ERROR "The report's page is bundled with Node.js: install nodejs and npm (scripts/bootstrap "
                      "does), or build without it by -DSHAPEBOOST_REPORT=OFF")
endif()

set(report_dir ${PROJECT_SOURCE_DIR}/report)
set(report_source ${PROJECT_BINARY_DIR}/generated/report_template.cpp)
set(report_modules ${report_dir}/node_modules/.package-lock.json)

# What package-lock.json pins, no scripts run.
add_custom_command(OUTPUT ${report_modules}
  COMMAND ${SHAPEBOOST_NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
  COMMAND ${CMAKE_COMMAND} -E touch ${report_modules}
  DEPENDS ${report_dir}/package.json ${report_dir}/package-lock.json
  WORKING_DIRECTORY ${report_dir}
  COMMENT "Fetching what bundles the report's page" VERBATIM)

# One line each.
set(report_files
  build.mjs
  tsconfig.json
  src/page.html
  src/style.css
  src/main.ts
  src/data.ts
  src/dom.ts
  src/colour.ts
  src/spectrum.ts
  src/words.ts
  src/charts.ts
  src/confusion.ts
  src/summary.ts
  src/story.ts
  src/patterns.ts
  src/explorer.ts
  src/example.ts
  src/waterfall.ts
  src/training.ts
)
list(TRANSFORM report_files PREPEND ${report_dir}/)
add_custom_command(OUTPUT ${report_source}
  COMMAND ${SHAPEBOOST_NODE} ${report_dir}/build.mjs ${report_source}
  DEPENDS ${report_files} ${report_modules}
  COMMENT "Bundling the report's page" VERBATIM)
add_custom_target(shapeboost_page DEPENDS ${report_source})
